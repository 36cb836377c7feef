// @dataui/crud over TypeORM, on Express, as its documentation sets it up.
import { Crud } from '@dataui/crud';
import { TypeOrmCrudService } from '@dataui/crud-typeorm';
import { Controller, Inject } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { decorateClass, inject } from './decorate.mjs';
import { startOnExpress } from './nest.start.mjs';
import { CreatePerson, UpdatePerson, validation } from './person.dto.mjs';
import { Staff, typeOrmOptions, User } from './typeorm.entities.mjs';

class UserService extends TypeOrmCrudService {}
inject(UserService, Inject(getRepositoryToken(User)));

class StaffService extends TypeOrmCrudService {}
inject(StaffService, Inject(getRepositoryToken(Staff)));

class UserController {
  constructor(service) {
    this.service = service;
  }
}
decorateClass(
  UserController,
  Crud({
    model: { type: User },
    dto: { create: CreatePerson, update: UpdatePerson, replace: CreatePerson },
    validation,
    // It sorts by a parent's columns only where it shows them.
    query: { alwaysPaginate: true, limit: 50, join: { company: { allow: ['name'] } } },
  }),
  Controller('users'),
);
inject(UserController, Inject(UserService));

class StaffController {
  constructor(service) {
    this.service = service;
  }
}
decorateClass(
  StaffController,
  Crud({ model: { type: Staff }, query: { alwaysPaginate: true, limit: 50 } }),
  Controller('staff'),
);
inject(StaffController, Inject(StaffService));

class CrudModule {}

export const start = (url) =>
  startOnExpress({
    module: CrudModule,
    imports: [TypeOrmModule.forRoot(typeOrmOptions(url)), TypeOrmModule.forFeature([User, Staff])],
    controllers: [UserController, StaffController],
    providers: [UserService, StaffService],
  });
