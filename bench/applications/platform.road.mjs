// What many applications have around their endpoints: it must see every request, so that these take the platform's road.
import { createWriteStream } from 'node:fs';
import { tap } from 'rxjs';

/** An interceptor of Nest that writes a line for each request. */
export function logRequests(app) {
  const log = createWriteStream('/dev/null');
  app.useGlobalInterceptors({
    intercept(context, next) {
      const { method, url } = context.switchToHttp().getRequest();
      const begun = performance.now();
      return next
        .handle()
        .pipe(tap(() => log.write(`${method} ${url} ${(performance.now() - begun).toFixed(1)} ms\n`)));
    },
  });
}
