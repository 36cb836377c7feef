// A module with a mistake in its configuration, and one that is no module.
import { Create, EndpointsModule } from '@nest-endpoints/core';
import { Module } from '@nestjs/common';

class AppModule {}
Module({ imports: [EndpointsModule.forFeature([new Create({ url: 'novels' })])] })(AppModule);

export { AppModule };
