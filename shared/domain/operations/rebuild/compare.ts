import { createHash } from 'node:crypto';
import { compare } from '../../base/collections.ts';
import { type Fingerprint, type FingerprintQuery, fingerprints } from './fingerprint.ts';

type GraphSummary = { readonly sha256: string; readonly relations: number; readonly edges: number };

export type Comparison = {
  readonly equal: boolean;
  readonly live: GraphSummary;
  readonly fresh: GraphSummary;
  /** The first relations that the graphs say different things of. */
  readonly differing: readonly string[];
};

const differingNamed = 20;
/** Sorts after all places, which begin with a digit. */
const afterAll = '~';

/** Compares two graphs of a workspace in bounded memory: some pages of relations of each at a time. */
export async function compareGraphs(live: FingerprintQuery, fresh: FingerprintQuery): Promise<Comparison> {
  const [one, other] = [summing(fingerprints(live)), summing(fingerprints(fresh))];
  const differing: string[] = [];
  let [left, right] = [await one.next(), await other.next()];
  while (left || right) {
    const order = compare(left?.place ?? afterAll, right?.place ?? afterAll);
    const isDifferent = order !== 0 || left?.digest !== right?.digest;
    if (isDifferent && differing.length < differingNamed) differing.push((order <= 0 ? left : right)?.relation ?? '');
    if (order <= 0) left = await one.next();
    if (order >= 0) right = await other.next();
  }
  const [liveSummary, freshSummary] = [one.summary(), other.summary()];
  return { equal: liveSummary.sha256 === freshSummary.sha256, live: liveSummary, fresh: freshSummary, differing };
}

/** What all of a workspace's graph says, as one hash. */
export async function summarizeGraph(ports: FingerprintQuery): Promise<GraphSummary> {
  const all = summing(fingerprints(ports));
  while (await all.next());
  return all.summary();
}

/** Reads fingerprints one by one and sums up those that went by. */
function summing(found: AsyncGenerator<Fingerprint>) {
  const hash = createHash('sha256');
  const counts = { relations: 0, edges: 0 };
  return {
    next: async (): Promise<Fingerprint | null> => {
      const { value, done } = await found.next();
      if (done) return null;
      hash.update(value.digest);
      counts.relations++;
      counts.edges += value.edges;
      return value;
    },
    summary: (): GraphSummary => ({ sha256: hash.digest('hex'), ...counts }),
  };
}
