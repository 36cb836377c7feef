import {
  Injectable,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Observable } from 'rxjs';

/** What both platforms' responses have. */
interface HeaderSetter {
  header(name: string, value: string): unknown;
}

const setHeader = (context: ExecutionContext, name: string, value: string): void => {
  context.switchToHttp().getResponse<HeaderSetter>().header(name, value);
};

/** Lets nobody in. */
@Injectable()
export class RefusingGuard implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

/** Tells in a header what `SetMetadata('word', …)` said. */
@Injectable()
export class MetadataGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    setHeader(
      context,
      'X-Guard',
      this.reflector.get<string | undefined>('word', context.getHandler()) ?? 'nothing',
    );
    return true;
  }
}

/** Tells in a header that it was there. */
@Injectable()
export class WavingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    setHeader(context, 'X-Interceptor', 'waved');
    return next.handle();
  }
}
