import { City } from '../atlas/atlas.entities.js';
import { Count } from './count.endpoint.js';

export const countCities = new Count({ url: 'cities/count', modelClass: City });
