import { settings } from '../shared/contract/settings.ts';

/** The settings of that name, as they are where a tenant says nothing of them. */
export function defaultsOf(...names: readonly (keyof typeof settings)[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, settings[name].otherwise]));
}

/** Those of who asks code hosts. */
export function codehostSettings(): Readonly<Record<string, string>> {
  return defaultsOf(
    'CODEHOST_ALLOWED_HOSTS',
    'CODEHOST_APP_ID',
    'CODEHOST_APP_SLUG',
    'CODEHOST_CLIENT_ID',
    'CODEHOST_BASE_URL',
    'CODEHOST_API_URL',
  );
}
