import { EmptinessValidator, type ComplaintContext } from '../validator.js';

/** The column must have a value: missing, null, "" and white space are refused; 0 and false are values. */
export class Required extends EmptinessValidator {
  readonly name = 'Required';

  complaintAboutEmpty({ columnName }: ComplaintContext): string {
    return requiredMessage(columnName);
  }
}

/** Also the answer to a null in a column that the database does not let be null. */
export function requiredMessage(columnName: string): string {
  return `'${columnName}' is required.`;
}
