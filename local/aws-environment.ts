/** The account and region that the local service plays. */
export const awsEnvironment = { region: 'us-east-1', account: '000000000000' } as const;
