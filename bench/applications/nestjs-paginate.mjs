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
  ValidationPipe,
} from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { FilterOperator, FilterSuffix, paginate, Paginate } from 'nestjs-paginate';
import { QueryFailedError } from 'typeorm';
import { decorateClass, decorateMethod, inject } from './decorate.mjs';
import { startOnExpress } from './nest.start.mjs';
import { CreatePerson, UpdatePerson, validation } from './person.dto.mjs';
import { Staff, typeOrmOptions, User } from './typeorm.entities.mjs';
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

class Users {
  constructor(repository) {
    this.repository = repository;
  }

  list(query) {
    return paginate(query, this.repository, list);
  }

  related(query) {
    return paginate(query, this.repository, related);
  }

  async get(id) {
    const user = await this.repository.findOneBy({ id });
    if (user === null) throw new NotFoundException();
    return user;
  }

  async create(body) {
    try {
      return await this.repository.save(this.repository.create(body));
    } catch (error) {
      if (!(error instanceof QueryFailedError && error.driverError.code === '23505')) throw error;
      throw new BadRequestException(['email must be unique']);
    }
  }

  async update(id, body) {
    const user = await this.get(id);
    return this.repository.save(this.repository.merge(user, body));
  }

  async remove(id) {
    const { affected } = await this.repository.delete(id);
    if (affected === 0) throw new NotFoundException();
  }
}
const id = [Number, Param('id', ParseIntPipe)];
const query = [Object, Paginate()];
decorateClass(Users, Controller('users'));
inject(Users, Inject(getRepositoryToken(User)));
decorateMethod(Users, 'list', [Get()], [query]);
decorateMethod(Users, 'related', [Get('related')], [query]);
decorateMethod(Users, 'get', [Get(':id')], [id]);
decorateMethod(Users, 'create', [Post()], [[CreatePerson, Body()]]);
decorateMethod(Users, 'update', [Patch(':id')], [id, [UpdatePerson, Body()]]);
decorateMethod(Users, 'remove', [Delete(':id')], [id]);

class StaffList {
  constructor(repository) {
    this.repository = repository;
  }

  list(query) {
    return paginate(query, this.repository, staffList);
  }
}
decorateClass(StaffList, Controller('staff'));
inject(StaffList, Inject(getRepositoryToken(Staff)));
decorateMethod(StaffList, 'list', [Get()], [query]);

class PaginateModule {}

export const start = (url) =>
  startOnExpress(
    {
      module: PaginateModule,
      imports: [TypeOrmModule.forRoot(typeOrmOptions(url)), TypeOrmModule.forFeature([User, Staff])],
      controllers: [Users, StaffList],
    },
    (app) => app.useGlobalPipes(new ValidationPipe(validation)),
  );
