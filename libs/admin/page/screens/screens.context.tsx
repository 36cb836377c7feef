import type { EndpointsDataProvider } from '@nest-endpoints/react-admin';
import { createContext, useContext } from 'react';
import type { Screen } from '../model/screen.js';

/** What all screens know. */
export interface KnownScreens {
  readonly screens: ReadonlyMap<string, Screen>;
  readonly provider: EndpointsDataProvider;
}

/** The context of all screens. */
export const ScreensContext = createContext<KnownScreens | undefined>(undefined);

export function useScreens(): KnownScreens {
  const known = useContext(ScreensContext);
  if (known === undefined) throw new Error('There are no screens around');
  return known;
}
