import { randomUUID } from 'node:crypto';

/** A batch as a shop's pages send it: about 440 bytes an event. */
export const sampleBatch = (projectKey: string, size: number) => ({
  project_key: projectKey,
  events: Array.from({ length: size }, (_, n) => ({
    id: randomUUID(),
    type: 'track',
    timestamp: new Date().toISOString(),
    event: 'Order Placed',
    user_id: `user-${n}`,
    session_id: 'session-1',
    properties: {
      total: 5 * n,
      currency: 'EUR',
      items: [
        { sku: `sku-${n}`, quantity: 2 },
        { sku: 'gift', quantity: 1 },
      ],
      path: `/checkout/step/${n}`,
    },
    context: {
      locale: 'en-GB',
      page: { url: `https://shop.example/checkout?step=${n}`, title: 'Checkout' },
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64)',
    },
  })),
});
