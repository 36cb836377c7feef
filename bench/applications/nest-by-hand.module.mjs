// Nest and MikroORM by hand: a controller, DTOs with class-validator, the entity manager, a presenter. What one writes
// without this library.
import 'reflect-metadata';
import { EntityManager, UniqueConstraintViolationException } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import {
  BadRequestException,
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  NotFoundException,
  Param,
  ParseIntPipe,
  Patch,
  Post,
  Query,
  ValidationPipe,
} from '@nestjs/common';
import { decorateClass, decorateMethod, inject } from './decorate.mjs';
import { Company, Staff as OpenStaff, User as OpenUser } from './entities.mjs';
import { CreatePerson, UpdatePerson, validation } from './person.dto.mjs';

/** The entities of the process's one application. */
let User;
let Staff;

const present = (person) => ({
  id: person.id,
  email: person.email,
  first_name: person.firstName,
  last_name: person.lastName,
  age: person.age,
  company_id: person.company.id,
  is_active: person.isActive,
  score: person.score,
  created_at: person.createdAt,
  updated_at: person.updatedAt,
});

const properties = {
  email: 'email',
  first_name: 'firstName',
  last_name: 'lastName',
  age: 'age',
  company_id: 'company',
  is_active: 'isActive',
  score: 'score',
  created_at: 'createdAt',
};

const fromWire = (body) =>
  Object.fromEntries(
    Object.entries(body)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [properties[name], value]),
  );

/** `company.city` is a property of a property. */
const nested = (path, value) =>
  path.split('.').reduceRight((inner, name) => ({ [properties[name] ?? name]: inner }), value);

const operators = { '=': '$eq', '!=': '$ne', '<': '$lt', '<=': '$lte', '>': '$gt', '>=': '$gte' };

const success = (data, pagination = {}) => ({
  status: 'success',
  error: '',
  data,
  pagination,
  input_errors: {},
});
const refusal = (status, error, complaints = {}) => ({
  status,
  error,
  data: [],
  pagination: {},
  input_errors: complaints,
});

const page = ([records, total], start) =>
  success(records.map(present), {
    number_results: total,
    limit: 50,
    next_page: start + records.length < total ? { start: start + records.length } : {},
  });

class Users {
  constructor(em) {
    this.em = em;
  }

  async list({ email, sort = 'id', start = '0', 'company.city': city }) {
    const where = {
      ...(email === undefined ? {} : { email }),
      ...(city === undefined ? {} : { company: { city } }),
    };
    const orderBy = [nested(sort, 'asc'), { id: 'asc' }];
    const offset = Number(start);
    return page(await this.em.findAndCount(User, where, { orderBy, limit: 50, offset }), offset);
  }

  async pages({ after }) {
    const orderBy = [{ age: 'asc' }, { id: 'asc' }];
    const cursor = await this.em.findByCursor(User, { first: 50, after, orderBy, includeCount: false });
    const next = cursor.hasNextPage ? { after: cursor.endCursor } : {};
    return success(cursor.items.map(present), { limit: 50, next_page: next });
  }

  async search({ where, sort: [sort] }) {
    const conditions = where.map(({ column, operator, value }) =>
      nested(column, { [operators[operator]]: value }),
    );
    const orderBy = [nested(sort.column, sort.direction), { id: 'asc' }];
    return page(await this.em.findAndCount(User, { $and: conditions }, { orderBy, limit: 50 }), 0);
  }

  async get(id) {
    return success(present(await this.found(id)));
  }

  async create(body) {
    const user = this.em.create(User, fromWire(body));
    try {
      await this.em.flush();
    } catch (error) {
      if (!(error instanceof UniqueConstraintViolationException)) throw error;
      throw new BadRequestException(
        refusal('input_errors', '', { email: 'a record with this value already exists' }),
      );
    }
    return success(present(user));
  }

  async update(id, body) {
    const user = await this.found(id);
    this.em.assign(user, fromWire(body));
    await this.em.flush();
    return success(present(user));
  }

  async remove(id) {
    const user = await this.found(id);
    await this.em.remove(user).flush();
    return success({});
  }

  async found(id) {
    const user = await this.em.findOne(User, id);
    if (user === null) throw new NotFoundException(refusal('client_error', 'Not Found'));
    return user;
  }
}
const id = [Number, Param('id', ParseIntPipe)];
decorateClass(Users, Controller('users'));
inject(Users, Inject(EntityManager));
decorateMethod(Users, 'list', [Get()], [[Object, Query()]]);
decorateMethod(Users, 'pages', [Get('pages')], [[Object, Query()]]);
decorateMethod(Users, 'search', [Post('search'), HttpCode(200)], [[Object, Body()]]);
decorateMethod(Users, 'get', [Get(':id')], [id]);
decorateMethod(Users, 'create', [Post()], [[CreatePerson, Body()]]);
decorateMethod(Users, 'update', [Patch(':id')], [id, [UpdatePerson, Body()]]);
decorateMethod(Users, 'remove', [Delete(':id')], [id]);

class StaffList {
  constructor(em) {
    this.em = em;
  }

  async list() {
    return page(await this.em.findAndCount(Staff, {}, { orderBy: { id: 'asc' }, limit: 50 }), 0);
  }
}
decorateClass(StaffList, Controller('staff'));
inject(StaffList, Inject(EntityManager));
decorateMethod(StaffList, 'list', [Get()]);

class ByHand {}

export function byHand(clientUrl, entities = { User: OpenUser, Staff: OpenStaff }) {
  ({ User, Staff } = entities);
  return {
    module: ByHand,
    controllers: [Users, StaffList],
    imports: [
      MikroOrmModule.forRoot({ driver: PostgreSqlDriver, clientUrl, entities: [Company, User, Staff] }),
    ],
  };
}

const complaints = (errors) =>
  Object.fromEntries(
    errors.map(({ property, constraints }) => [property, Object.values(constraints).join(', ')]),
  );

export const validate = (app) =>
  app.useGlobalPipes(
    new ValidationPipe({
      ...validation,
      exceptionFactory: (errors) => new BadRequestException(refusal('input_errors', '', complaints(errors))),
    }),
  );
