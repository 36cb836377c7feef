import { expect } from '@jest/globals';
import { Callable, type JsonSchema } from '@nest-endpoints/core';
import { openApiDocument } from '@nest-endpoints/openapi';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { z } from 'zod';
import { once, service } from '../support/contract.js';
import { bodyIn, dataIn, operationAt, schemaIn } from '../support/documents.js';
import { libraryWith } from '../support/endpoints.js';

class Point {
  @IsInt()
  @Min(-90)
  @Max(90)
  latitude!: number;
}

class Place {
  @IsString()
  @Length(1, 10)
  name!: string;

  @IsOptional()
  @IsEmail()
  contact?: string;

  @IsIn(['city', 'town'])
  size!: string;

  @ValidateNested({ each: true })
  @Type(() => Point)
  points!: Point[];
}

class Greeting {
  @ApiProperty({ description: 'What is said.' })
  text!: string;

  @ApiProperty({ type: () => Greeting, nullable: true, required: false })
  answer?: Greeting | null;
}

const shape = z.object({ name: z.string().max(5), tags: z.array(z.string()).default([]) });

const tree: JsonSchema = {
  $ref: '#/$defs/Tree',
  $defs: {
    Tree: { type: 'object', properties: { leaves: { type: 'array', items: { $ref: '#/$defs/Tree' } } } },
  },
};

const { contract } = service(
  libraryWith([
    new Callable({ url: 'dto', requestMethods: ['POST'], inputSchema: Place, toCall: () => 1 }),
    new Callable({
      url: 'zod',
      requestMethods: ['POST'],
      inputSchema: shape,
      querySchema: z.object({ near: z.string(), far: z.string().optional() }),
      outputSchema: z.object({ name: z.string().nullable() }),
      toCall: () => ({ name: null }),
    }),
    new Callable({ url: 'class', outputSchema: Greeting, toCall: () => ({ text: 'hello' }) }),
    new Callable({ url: 'plain', outputSchema: { type: ['integer', 'null'], const: 5 }, toCall: () => 5 }),
    new Callable({ url: 'tree', outputSchema: tree, toCall: () => ({ leaves: [{ leaves: [] }] }) }),
  ]),
  once,
);

contract(
  'The body of a Callable is that of its class with class-validator decorators',
  async ({ app, request }) => {
    const document = openApiDocument(app);
    const body = bodyIn(document, operationAt(document, 'post', '/dto'));
    expect(body).toMatchObject({
      required: ['name', 'size', 'points'],
      additionalProperties: false,
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 10 },
        contact: { type: 'string', format: 'email' },
        size: { enum: ['city', 'town'] },
        points: { type: 'array' },
      },
    });
    expect(schemaIn(document, body.properties.points.items).properties.latitude).toEqual({
      type: 'integer',
      minimum: -90,
      maximum: 90,
    });
    const sent = { name: 'Nice', size: 'city', points: [{ latitude: 43 }] };
    expect((await request().post('/dto').send(sent)).status).toBe(200);
  },
);

contract(
  'Body, query string and answer of a Callable are those of its Standard Schemas',
  async ({ app, request }) => {
    const document = openApiDocument(app);
    const operation = operationAt(document, 'post', '/zod');
    expect(bodyIn(document, operation)).toMatchObject({
      required: ['name'],
      properties: { name: { type: 'string', maxLength: 5 } },
    });
    expect(operation.parameters.map(({ name, required }) => [name, required])).toEqual([
      ['near', true],
      ['far', false],
    ]);
    expect(dataIn(document, operation).properties.name).toEqual({ type: ['string', 'null'] });
    expect((await request().post('/zod?near=x').send({ name: 'Nice' })).status).toBe(200);
  },
);

contract(
  'The answer of a Callable is that of its output_schema: a class, JSON Schema, one that refers to itself',
  async ({ app, request }) => {
    const document = openApiDocument(app);
    const greeting = dataIn(document, operationAt(document, 'get', '/class'));
    expect(greeting).toMatchObject({
      required: ['text'],
      properties: { text: { type: 'string', description: 'What is said.' } },
    });
    expect(dataIn(document, operationAt(document, 'get', '/plain'))).toEqual({
      type: ['integer', 'null'],
      enum: [5, null],
    });
    const { properties } = dataIn(document, operationAt(document, 'get', '/tree'));
    expect(properties.leaves.items).toEqual({ $ref: '#/components/schemas/Tree' });
    for (const path of ['/class', '/plain', '/tree']) expect((await request().get(path)).status).toBe(200);
  },
);
