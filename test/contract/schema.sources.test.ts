import SwaggerParser from '@apidevtools/swagger-parser';
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
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
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

const named = { type: 'object', properties: { name: { type: 'string' } } } as const;
const pair = [{ type: 'string' }, { type: 'integer' }] as const;

/** Schemas whose keywords stand for more where one version or another has not all of them, with what is answered. */
const answered: readonly (readonly [schema: Readonly<Record<string, unknown>>, answer: unknown])[] = [
  [{ nullable: true, allOf: [named] }, null],
  [{ nullable: true, oneOf: pair }, null],
  [{ nullable: true, enum: ['a'] }, null],
  [{ type: 'object', nullable: true, allOf: [named] }, null],
  [
    { ...named, patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
    { 'x-a': 'b' },
  ],
  [
    { ...named, patternProperties: { '^x-': pair[0] }, additionalProperties: pair[1] },
    { 'x-a': 'b', c: 1 },
  ],
  [{ type: 'array', prefixItems: pair, items: false }, ['a', 1]],
  [{ prefixItems: pair, items: { type: 'boolean' } }, ['a', 1, true]],
  [{ prefixItems: pair }, ['a', 1, null]],
  [{ items: false }, []],
  [{ type: 'object', properties: { one: { not: false } } }, { one: 1 }],
];

const { contract } = service(
  libraryWith([
    ...answered.map(
      ([schema, answer], index) =>
        new Callable({
          url: `answered/${String(index)}`,
          outputSchema: schema,
          toCall: () => answer,
        }),
    ),
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

contract(
  'Documents of every version allow what their schemas allow, and are valid',
  async ({ app, request }) => {
    for (const [schemaFormat, validator] of [
      ['openapi3.0', new Ajv({ strict: false })],
      ['openapi3.1', new Ajv2020({ strict: false })],
      ['openapi3.2', new Ajv2020({ strict: false })],
    ] as const) {
      const document = openApiDocument(app, { schemaFormat });
      if (schemaFormat !== 'openapi3.2') await SwaggerParser.validate(structuredClone(document) as never);
      for (const [index, [{ nullable }, answer]] of answered.entries()) {
        // There, null has a meaning beside a type alone, and the words are the user's own.
        if (schemaFormat === 'openapi3.0' && nullable === true) continue;
        const path = `/answered/${String(index)}`;
        const { body } = await request().get(path).expect(200);
        expect(body.data).toEqual(answer);
        const schema = dataIn(document, operationAt(document, 'get', path));
        expect([schemaFormat, schema, validator.validate(schema, body.data)]).toEqual([
          schemaFormat,
          schema,
          true,
        ]);
      }
    }
  },
);
