import type { Endpoint } from '../../endpoint/endpoint.js';
import { limitsOf, type InheritedSettings } from '../../endpoint/options/settings.js';

/** The settings that a check of the service's health takes from nobody: it warns nobody, and no limit on others holds for it. */
export function spared({ isVital, options }: Endpoint): Partial<InheritedSettings> {
  return isVital ? { deprecation: undefined, limits: limitsOf([options]) } : {};
}
