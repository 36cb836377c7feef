/** A key as a driver or an entity holds it: the one may have text where the other has a number. */
export type RecordKey = string | number | bigint;
