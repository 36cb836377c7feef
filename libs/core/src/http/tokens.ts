/** Injects what `EndpointsModule.forRoot` or `forRootAsync` was given; null without either. */
export const rootOptionsToken = Symbol('@nest-endpoints/core root options');
