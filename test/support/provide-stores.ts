import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import { type Stores, startStores } from './stores.ts';

/** Stores for the tests of the file or the `describe` that calls it: hooks and tests have them, what runs before has not. */
export function provideStores() {
  let stores: Stores;
  let client: DynamoDBClient;
  beforeAll(async () => {
    stores = await startStores();
    client = new DynamoDBClient({});
  });
  afterAll(async () => {
    client.destroy();
    await stores.stop();
  });
  return {
    get environment() {
      return stores.environment;
    },
    /** The SDK's own, without what the service adds to its client or takes away. */
    get client() {
      return client;
    },
  };
}
