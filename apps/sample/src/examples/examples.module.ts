import { MikroOrmModule } from '@mikro-orm/nestjs';
import { EndpointGroup, EndpointsModule } from '@nest-endpoints/core';
import { Module } from '@nestjs/common';
import { atlas } from './atlas.group.js';
import { citySearch } from './big.cities.search.endpoint.js';
import { countCities } from './city.count.endpoint.js';
import { getLabel } from './city.label.endpoint.js';
import { createCityOfCountry } from './city.of.country.endpoint.js';
import { searchCities } from './city.search.endpoint.js';
import { coded } from './coded.trips.endpoint.js';
import { cityOrder } from './city.order.endpoints.js';
import { countrySearch } from './country.search.endpoint.js';
import { getCountryOfCity } from './country.of.city.endpoint.js';
import { europeanTowns } from './european.towns.endpoint.js';
import { fewTrips } from './few.trips.endpoint.js';
import { largestCities } from './largest.cities.endpoint.js';
import { openCities } from './open.cities.api.js';
import { Order, orders } from './order.endpoints.js';
import { plain } from './plain.group.js';
import { secretCities } from './secret.cities.endpoint.js';
import { createShortTrip } from './short.trip.endpoint.js';
import { createCodedTrip } from './strict.trip.endpoint.js';
import { townsOfCountry } from './towns.of.country.endpoints.js';
import { getTripByCode } from './trip.by.code.endpoint.js';

/** What the pages of the documentation show, below `/examples`: each of these files is an example of a page. */
const examples = new EndpointGroup({
  url: 'examples',
  tag: { name: 'Examples', description: 'What the pages of the documentation show.' },
  endpoints: [
    createShortTrip,
    createCityOfCountry,
    getCountryOfCity,
    townsOfCountry,
    getLabel,
    getTripByCode,
    largestCities,
    citySearch,
    countrySearch,
    searchCities,
    secretCities,
    openCities,
    europeanTowns,
    createCodedTrip,
    coded,
    fewTrips,
    countCities,
    ...cityOrder,
    atlas,
    plain,
    ...orders,
  ],
});

@Module({ imports: [MikroOrmModule.forFeature([Order]), EndpointsModule.forFeature([examples])] })
export class ExamplesModule {}
