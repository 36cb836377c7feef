import {
  Inject,
  Logger,
  Module,
  type DynamicModule,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import type { Login } from './login.js';

const LOGIN = Symbol('LOGIN');

/** Says when the service starts who is believed, and ends the development key server with it. */
@Module({})
export class LoginModule implements OnModuleInit, OnApplicationShutdown {
  static forRoot(login: Login): DynamicModule {
    return { module: LoginModule, providers: [{ provide: LOGIN, useValue: login }] };
  }

  constructor(@Inject(LOGIN) private readonly login: Login) {}

  onModuleInit(): void {
    if (this.login.warning !== undefined) new Logger('Login').warn(this.login.warning);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.login.close();
  }
}
