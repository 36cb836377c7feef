// The same by hand with tenants, the way MikroORM's documentation shows them: filters, whose parameter a guard sets.
import { EntityManager } from '@mikro-orm/core';
import { UnauthorizedException } from '@nestjs/common';
import { byHand, validate } from './nest-by-hand.module.mjs';
import { rememberedTokens } from './remembered.tokens.mjs';
import { saidTenant, tenantEntities } from './tenant.entities.mjs';

const ofTenant = {
  tenant: { name: 'tenant', cond: ({ tenant }) => ({ tenantId: tenant }), default: true },
};

const tenantId = () => saidTenant().onCreate((_user, em) => em.getFilterParams('tenant').tenant);

export const byHandWithTenants = (url) => byHand(url, tenantEntities(tenantId(), ofTenant));

export function prepareTenants(app) {
  validate(app);
  const em = app.get(EntityManager);
  const tenantOf = rememberedTokens();
  app.useGlobalGuards({
    canActivate(context) {
      const tenant = tenantOf(context.switchToHttp().getRequest().headers.authorization);
      if (tenant === undefined) throw new UnauthorizedException();
      em.setFilterParams('tenant', { tenant });
      return true;
    },
  });
}
