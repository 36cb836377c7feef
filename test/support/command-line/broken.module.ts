// An application with a mistake in its configuration, such as plain JavaScript lets pass.
import { Create, EndpointsModule } from '@nest-endpoints/core';
import { Module } from '@nestjs/common';

class AppModule {}
Module({ imports: [EndpointsModule.forFeature([Reflect.construct(Create, [{ url: 'novels' }]) as Create])] })(
  AppModule,
);

export { AppModule };
