import type { Model } from './linearizable.ts';

/** A delivery under one idempotency key: the first content is accepted, again it is a duplicate, and any other refused. */
export const keyedDelivery: Model<string | null, string, 'accepted' | 'duplicate' | 'conflict'> = {
  initial: null,
  step: (first, content, output) => {
    const expected = first === null ? 'accepted' : first === content ? 'duplicate' : 'conflict';
    return output === null || output === expected ? (first ?? content) : undefined;
  },
};

type Revision = { readonly revision: number; readonly value: string };

/** A policy: each PUT makes the next revision, and holds from then on. */
export const policyFrom = (initial: Revision): Model<Revision, { readonly put: string } | 'get', Revision> => ({
  initial,
  step: (state, input, output) => {
    const next = input === 'get' ? state : { revision: state.revision + 1, value: input.put };
    const isSo = output === null || (output.revision === next.revision && output.value === next.value);
    return isSo ? next : undefined;
  },
});

/** Enabled checks: one more than the limit is refused, and no list ever shows it. */
export const enabledChecks = (limit: number): Model<number, 'create' | 'list', 'done' | 'refused' | number> => ({
  initial: 0,
  step: (enabled, input, output) => {
    switch (input) {
      case 'create':
        if (enabled < limit) return output === 'refused' ? undefined : enabled + 1;
        return output === 'done' ? undefined : enabled;
      case 'list':
        return output === null || output === enabled ? enabled : undefined;
    }
  },
});

/** An access code: the first who shows it has it. */
export const accessCode: Model<'unspent' | 'spent', 'exchange', 'token' | 'refused'> = {
  initial: 'unspent',
  step: (state, _input, output) => {
    const expected = state === 'unspent' ? 'token' : 'refused';
    return output === null || output === expected ? 'spent' : undefined;
  },
};

/** An event id: a value is stored some time after it was sent, and the first that is stored stays, once. */
export const firstValue: Model<string | null, { readonly send: string } | 'read', readonly string[]> = {
  initial: null,
  step: (stored, input, output) => {
    if (input !== 'read') return stored ?? input.send;
    return output === null || output.join() === (stored ?? '') ? stored : undefined;
  },
};

type Seen = { readonly accepted: readonly string[]; readonly seen: number };

/**
 * Complete snapshots of one scope, as what readers see names them: they see one whole and nothing of another, in the order of
 * acceptance, some left out, nothing before the first, and in the end the last.
 */
export const snapshotsInOrder: Model<Seen, { readonly send: string } | 'read' | 'read at the end', readonly string[]> =
  {
    initial: { accepted: [], seen: -1 },
    step: ({ accepted, seen }, input, output) => {
      if (typeof input === 'object') return { accepted: [...accepted, input.send], seen };
      if (output === null) return { accepted, seen };
      const [name, ...others] = output;
      const place = name === undefined ? -1 : accepted.indexOf(name);
      const isKnown = others.length === 0 && (name === undefined || place >= 0);
      const isSo = isKnown && place >= (input === 'read' ? seen : accepted.length - 1);
      return isSo ? { accepted, seen: place } : undefined;
    },
  };
