import fc from 'fast-check';

const target = process.env['SEED'] ?? '1';

/** Of all random cases of a run: 1, or the number in SEED, or another each time where SEED is `random`. */
export const seed = target === 'random' ? Date.now() % 1_000_000 : Number(target);

// Runs before every test file: the same cases are tried on every machine, so that what fails is what was changed.
fc.configureGlobal({ seed });
