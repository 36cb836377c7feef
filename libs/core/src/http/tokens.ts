/** Injects what `EndpointsModule.forRoot` or `forRootAsync` was given; null without either. */
export const rootOptionsToken = Symbol('@nest-endpoints/core root options');

/** Injects the classes of middleware that does nothing which endpoints need. */
export const quietMiddlewareToken = Symbol('@nest-endpoints/core quiet middleware');
