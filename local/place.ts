/** The account and region that the local service plays. */
export const place = { region: 'us-east-1', account: '000000000000' } as const;

/** Any credentials do for the emulators; the SDK only needs to find some. */
export const localCredentials = {
  AWS_REGION: place.region,
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
} as const;
