import { defaultI18nProvider } from 'react-admin';

/** The words that react-admin has for records in general: nobody who looks after trips calls one an element. */
const words: Readonly<Record<string, (count: number) => string>> = {
  'ra.notification.created': () => 'Created',
  'ra.notification.updated': () => 'Saved',
  'ra.notification.deleted': (count) => (count === 1 ? 'Deleted' : `${count} deleted`),
};

/** The words of the page: react-admin's own, but for some. */
export const pageWords: typeof defaultI18nProvider = {
  ...defaultI18nProvider,
  translate: (key: string, options: { readonly smart_count?: number } = {}) =>
    words[key]?.(options.smart_count ?? 1) ?? defaultI18nProvider.translate(key, options),
};
