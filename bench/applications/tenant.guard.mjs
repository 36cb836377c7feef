import { UnauthorizedException } from '@nestjs/common';
import { rememberedTokens } from './remembered.tokens.mjs';

/** A guard before everything, which verifies tokens and gives requests their user: for frameworks that have none. */
export function guardTenants(app) {
  const tenantOf = rememberedTokens();
  app.useGlobalGuards({
    canActivate(context) {
      const request = context.switchToHttp().getRequest();
      const tenant = tenantOf(request.headers.authorization);
      if (tenant === undefined) throw new UnauthorizedException();
      request.user = { tenant };
      return true;
    },
  });
}
