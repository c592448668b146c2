import type { PageSettings } from '../../shared/contract/pages.ts';

const meta = document.querySelector<HTMLMetaElement>('meta[name="tributary"]');

export const settings: PageSettings = {
  base: '/',
  client_id: '',
  issuer: null,
  token_in_fragment: false,
  ...JSON.parse(meta?.content ?? '{}'),
};

/** The address of the API, without a final slash. */
export const apiAddress = `${location.origin}${settings.base.replace(/\/$/, '')}`;
