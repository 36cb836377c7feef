// @dataui/crud over TypeORM, on Express, as its documentation sets it up.
import { Crud, CrudAuth } from '@dataui/crud';
import { TypeOrmCrudService } from '@dataui/crud-typeorm';
import { Controller, Inject } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { decorateClass, inject } from './decorate.mjs';
import { CreatePerson, UpdatePerson, validation } from './person.dto.mjs';

const page = { alwaysPaginate: true, limit: 50 };

/** What it shows records by where there are tenants: a condition for every statement, and a value for new records. */
const ofTenant = {
  property: 'user',
  filter: ({ tenant }) => ({ tenant_id: tenant }),
  persist: ({ tenant }) => ({ tenant_id: tenant }),
};

function serviceOf(entity) {
  class Service extends TypeOrmCrudService {}
  inject(Service, Inject(getRepositoryToken(entity)));
  return Service;
}

function controllerOf(path, service, options, { hasTenants }) {
  class CrudController {
    constructor(service) {
      this.service = service;
    }
  }
  // The routes are made when `Crud` is applied, which is after what stands below it.
  decorateClass(CrudController, Crud(options), ...(hasTenants ? [CrudAuth(ofTenant)] : []), Controller(path));
  inject(CrudController, Inject(service));
  return CrudController;
}

class CrudModule {}

/** @param entities the classes of both tables, with TypeORM's options; `hidden` names columns that are not shown */
export function crudModule({ User, Staff, options, hidden = [], hasTenants = false }) {
  const [users, staff] = [serviceOf(User), serviceOf(Staff)];
  const userOptions = {
    model: { type: User },
    dto: { create: CreatePerson, update: UpdatePerson, replace: CreatePerson },
    validation,
    // It sorts by a parent's columns only where it shows them.
    query: { ...page, exclude: hidden, join: { company: { allow: ['name'] } } },
  };
  const staffOptions = { model: { type: Staff }, query: { ...page, exclude: hidden } };
  return {
    module: CrudModule,
    imports: [TypeOrmModule.forRoot(options), TypeOrmModule.forFeature([User, Staff])],
    controllers: [
      controllerOf('users', users, userOptions, { hasTenants }),
      controllerOf('staff', staff, staffOptions, { hasTenants }),
    ],
    providers: [users, staff],
  };
}
