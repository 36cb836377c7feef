import { expect } from '@jest/globals';
import { Callable } from '@nest-endpoints/core';
import { Expose, Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsDate,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  ValidateNested,
} from 'class-validator';
import { z } from 'zod';
import { clientError, expectAnswer, inputErrors } from '../support/answers.js';
import { service } from '../support/contract.js';
import { bodyIn, dataIn, documented, operationAt } from '../support/documents.js';
import { library } from '../support/entities/library.js';

class Hour {
  @Expose({ name: 'at_hour' })
  @IsInt()
  atHour!: number;
}

class Visit {
  @Expose({ name: 'full_name' })
  @IsString()
  fullName!: string;

  @IsOptional()
  @Type(() => Date)
  @IsDate()
  day?: Date;

  @IsOptional()
  @Type(() => Number)
  @IsNumber()
  guests?: number;

  @IsOptional()
  @Transform(({ value }) => (value as string).trim())
  @IsString()
  note?: string;

  @IsOptional()
  @IsObject()
  labels?: object;

  @IsOptional()
  @IsArray()
  @IsInt({ each: true })
  numbers?: number[];

  @IsOptional()
  @Type(() => Hour)
  @ValidateNested({ each: true })
  hours?: Hour[];
}

/** A class of which there can be no instance. */
class Broken {
  @IsOptional()
  @IsString()
  note?: string;

  readonly length = (undefined as unknown as string).length;
}

const { contract } = service({
  entities: library,
  endpoints: [
    documented([
      new Callable({
        url: 'visits',
        requestMethods: ['POST'],
        inputSchema: Visit,
        toCall: ({ requestData }) => requestData,
      }),
      new Callable({
        url: 'visited',
        outputSchema: Visit,
        toCall: () => Object.assign(new Visit(), { fullName: 'Ada' }),
      }),
      new Callable({
        url: 'broken',
        requestMethods: ['POST'],
        inputSchema: Broken,
        toCall: () => 'never',
      }),
      new Callable({
        url: 'tags',
        requestMethods: ['POST'],
        inputSchema: z.object({ tags: z.array(z.string()) }),
        toCall: ({ requestData: { tags } }) => tags.length,
      }),
    ]),
  ],
});

const many = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, index]));

contract('An object of a class as inputSchema has a thousand members at most', async ({ request }) => {
  const sentence = 'An object has at most 1000 members';
  const visit = { full_name: 'Ada' };
  expectAnswer(await request().post('/visits').send(many(60_000)), 400, clientError(sentence));
  const labels = (count: number) =>
    request()
      .post('/visits')
      .send({ ...visit, labels: many(count) });
  expectAnswer(await labels(1001), 400, inputErrors({ labels: sentence }));
  expect((await labels(1000)).status).toBe(200);
  const hours = [{ at_hour: 1 }, many(1001)];
  expectAnswer(
    await request()
      .post('/visits')
      .send({ ...visit, hours }),
    400,
    inputErrors({ 'hours.1': sentence }),
  );
});

contract('A value that nothing can be made of is an error of its name', async ({ request }) => {
  const odd = { toString: 1, valueOf: 1 };
  const send = (body: object) =>
    request()
      .post('/visits')
      .send({ full_name: 'Ada', ...body });
  for (const name of ['day', 'guests', 'note'])
    expectAnswer(await send({ [name]: odd }), 400, inputErrors({ [name]: 'value cannot be read' }));
  expectAnswer(
    await send({ day: odd, guests: 2, note: 3 }),
    400,
    inputErrors({ day: 'value cannot be read', note: 'value cannot be read' }),
  );
  expect((await send({ day: '2026-01-01T00:00:00Z', guests: 2, note: ' x ' })).body).toMatchObject({
    data: { guests: 2, note: 'x' },
  });
});

contract('An answer has a hundred errors of an input at most', async ({ request }) => {
  const bad = Array.from({ length: 5000 }, () => ({}));
  const answers = [
    await request().post('/tags').send({ tags: bad }),
    await request().post('/visits').send({ full_name: 'Ada', hours: bad }),
    await request().post('/visits').send(many(1000)),
  ];
  for (const { status, body } of answers) {
    expect(status).toBe(400);
    expect(Object.keys(body.input_errors)).toHaveLength(100);
  }
});

contract('A member is called in documents, requests and errors as Expose names it', async ({ request }) => {
  const { body: document } = await request().get('/schema');
  const { properties, required } = bodyIn(document, operationAt(document, 'post', '/visits'));
  expect(Object.keys(properties)).toContain('full_name');
  expect(Object.keys(properties)).not.toContain('fullName');
  expect(required).toEqual(['full_name']);
  const send = (body: object) => request().post('/visits').send(body);
  expect((await send({ full_name: 'Ada', hours: [{ at_hour: 7 }] })).body).toMatchObject({
    data: { hours: [{}] },
  });
  expectAnswer(await send({ full_name: 1 }), 400, inputErrors({ full_name: 'full_name must be a string' }));
  expectAnswer(
    await send({ full_name: 'Ada', hours: [{ at_hour: 'x' }] }),
    400,
    inputErrors({ 'hours.0.at_hour': 'at_hour must be an integer number' }),
  );
});

contract('What a function gives is called as its class calls it', async ({ request }) => {
  const { body: document } = await request().get('/schema');
  const { properties } = dataIn(document, operationAt(document, 'get', '/visited'));
  expect(Object.keys(properties)).toContain('fullName');
  const { body } = await request().get('/visited');
  expect(body.data).toEqual({ fullName: 'Ada' });
});

contract('A class that nobody can make is a failure of the service', async ({ request, log }) => {
  expect((await request().post('/broken').send({ note: 'x' })).status).toBe(500);
  expect(log.text('error')).toContain('TypeError');
  log.lines = [];
});
