import { afterAll, beforeAll, beforeEach } from 'vitest';

/** Something that runs until it is stopped: a world of a flow, with its stores. */
type Stoppable = { readonly stop: () => unknown };

/**
 * What runs for the tests of the file or the `describe` that calls it: started before them, stopped after them. Hooks
 * and tests have it, what runs before has not; hooks that need it are declared after.
 */
export function provideForAll<Started extends Stoppable>(start: () => Promise<Started>): Started {
  let started: Started | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started?.stop());
  return forwarding(() => started);
}

/** What every test has a new one of. */
export function provideForEach<Made extends object>(make: () => Promise<Made>): Made {
  let built: Made | undefined;
  beforeEach(async () => {
    built = await make();
  });
  return forwarding(() => built);
}

/** An object whose properties are read from `current()` at that time. It cannot be spread or compared. */
function forwarding<Target extends object>(current: () => Target | undefined): Target {
  const refuse = () => {
    throw new Error('Values provided for tests can only be read by property.');
  };
  return new Proxy({} as Target, {
    get: (_, name) => {
      const target = current();
      if (target === undefined) throw new Error('Values provided for tests exist only in hooks and tests.');
      return Reflect.get(target, name);
    },
    ownKeys: refuse,
    set: refuse,
  });
}
