import { MigrationFailure } from '../../migration.failure.js';

/** The diff tool's own module, which the application has to install. */
export type DeltaLibrary = typeof import('@supabase/pg-delta');

/** The one version that was tried; it is an alpha, and its interfaces change. */
export const deltaVersion = '1.0.0-alpha.34';

/** @throws MigrationFailure when the application has not installed it */
export async function loadDelta(): Promise<DeltaLibrary> {
  try {
    return await import('@supabase/pg-delta');
  } catch (cause) {
    throw new MigrationFailure(
      `migrations need the package @supabase/pg-delta: npm install --save-exact @supabase/pg-delta@${deltaVersion}`,
      { cause },
    );
  }
}
