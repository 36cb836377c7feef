// nestjs-paginate over TypeORM, on Express. It makes lists; single records are TypeORM's repository by hand.
import 'reflect-metadata';
import {
  BadRequestException,
  Body,
  Controller,
  Delete,
  Get,
  Inject,
  NotFoundException,
  Param,
  ParseIntPipe,
  Patch,
  Post,
  Req,
  ValidationPipe,
} from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { FilterOperator, FilterSuffix, paginate, Paginate } from 'nestjs-paginate';
import { IsNull, QueryFailedError } from 'typeorm';
import { decorateClass, decorateMethod, inject } from './decorate.mjs';
import { CreatePerson, UpdatePerson, validation } from './person.dto.mjs';
import { columns } from './person.mjs';

const { EQ, GTE, LT, LTE } = FilterOperator;

const staffList = {
  sortableColumns: ['id', 'last_name'],
  defaultSortBy: [['id', 'ASC']],
  defaultLimit: 50,
};

const list = {
  sortableColumns: ['id', 'last_name', 'age', 'score', 'created_at'],
  filterableColumns: {
    email: [EQ],
    last_name: [EQ],
    age: [GTE, LTE],
    score: [GTE, LT],
    is_active: [EQ],
  },
  defaultSortBy: [['id', 'ASC']],
  defaultLimit: 50,
};

/** Its joins are fixed by the endpoint, so searches by company have one of their own. */
const related = {
  ...list,
  relations: ['company'],
  select: [...columns, 'company.id', 'company.name'],
  sortableColumns: [...list.sortableColumns, 'company.name'],
  filterableColumns: { ...list.filterableColumns, 'company.city': [EQ, FilterSuffix.NOT] },
};

/** The condition of every statement where there are tenants; a guard gives requests their user. */
const ofTenant = ({ user }) => (user === undefined ? {} : { tenant_id: user.tenant });

/** A delete asks nobody whether the record is deleted already. */
const live = ({ user }) => (user === undefined ? {} : { deleted_at: IsNull() });

const withWhere = (config, request) =>
  request.user === undefined ? config : { ...config, where: ofTenant(request) };

class Users {
  constructor(repository) {
    this.repository = repository;
  }

  list(query, request) {
    return paginate(query, this.repository, withWhere(list, request));
  }

  related(query, request) {
    return paginate(query, this.repository, withWhere(related, request));
  }

  async get(id, request) {
    const user = await this.repository.findOneBy({ id, ...ofTenant(request) });
    if (user === null) throw new NotFoundException();
    return user;
  }

  async create(body, request) {
    try {
      return await this.repository.save(this.repository.create({ ...body, ...ofTenant(request) }));
    } catch (error) {
      if (!(error instanceof QueryFailedError && error.driverError.code === '23505')) throw error;
      throw new BadRequestException(['email must be unique']);
    }
  }

  async update(id, body, request) {
    const user = await this.get(id, request);
    return this.repository.save(this.repository.merge(user, body));
  }

  async remove(id, request) {
    const { affected } = await this.repository.delete({ id, ...ofTenant(request), ...live(request) });
    if (affected === 0) throw new NotFoundException();
  }
}
const request = [Object, Req()];
const id = [Number, Param('id', ParseIntPipe)];
const query = [Object, Paginate()];
decorateClass(Users, Controller('users'));
decorateMethod(Users, 'list', [Get()], [query, request]);
decorateMethod(Users, 'related', [Get('related')], [query, request]);
decorateMethod(Users, 'get', [Get(':id')], [id, request]);
decorateMethod(Users, 'create', [Post()], [[CreatePerson, Body()], request]);
decorateMethod(Users, 'update', [Patch(':id')], [id, [UpdatePerson, Body()], request]);
decorateMethod(Users, 'remove', [Delete(':id')], [id, request]);

class StaffList {
  constructor(repository) {
    this.repository = repository;
  }

  list(query, request) {
    return paginate(query, this.repository, withWhere(staffList, request));
  }
}
decorateClass(StaffList, Controller('staff'));
decorateMethod(StaffList, 'list', [Get()], [query, request]);

class PaginateModule {}

export function paginateModule({ User, Staff, options }) {
  inject(Users, Inject(getRepositoryToken(User)));
  inject(StaffList, Inject(getRepositoryToken(Staff)));
  return {
    module: PaginateModule,
    imports: [TypeOrmModule.forRoot(options), TypeOrmModule.forFeature([User, Staff])],
    controllers: [Users, StaffList],
  };
}

export const validate = (app) => app.useGlobalPipes(new ValidationPipe(validation));
