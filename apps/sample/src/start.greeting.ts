/** Where the service listens, and three requests to paste into a shell. */
export function greeting(url: string): string {
  return `The atlas listens on ${url}. Try:

  curl '${url}/countries/FR'
  curl '${url}/cities?country_code=FR&sort=population&direction=desc&limit=5'
  curl '${url}/trips' -H 'Content-Type: application/json' -d '{"title": "A week in Nice", "city_id": 2990440, "starts_on": "2027-05-01"}'

`;
}
