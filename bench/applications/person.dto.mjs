// What clients may send to the Nest applications, said with class-validator.
import 'reflect-metadata';
import { IsBoolean, IsEmail, IsInt, IsNumber, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { decorateProperties } from './decorate.mjs';

export class CreatePerson {}
export class UpdatePerson {}

const text = { type: String, decorators: [IsString(), Length(1, 100)] };

const rules = {
  email: { type: String, decorators: [IsEmail()] },
  first_name: text,
  last_name: text,
  age: { type: Number, decorators: [IsInt(), Min(0), Max(150)] },
  company_id: { type: Number, decorators: [IsInt()] },
  is_active: { type: Boolean, decorators: [IsBoolean()] },
  score: { type: Number, decorators: [IsNumber()] },
};

decorateProperties(CreatePerson, rules);
decorateProperties(
  UpdatePerson,
  Object.fromEntries(
    Object.entries(rules).map(([name, { type, decorators }]) => [
      name,
      { type, decorators: [IsOptional(), ...decorators] },
    ]),
  ),
);

/** For the validation pipe: unknown names are refused, as everywhere in this benchmark. */
export const validation = { whitelist: true, forbidNonWhitelisted: true };
