import type { WorkspaceId } from '../../../contract/ids.ts';
import type { ScopeId } from '../graph/ids.ts';
import type { Order } from '../graph/order.ts';
import type { ScopeHead, ScopeStore } from '../graph/scope-store.ts';

type Heads = Pick<ScopeStore, 'heads'>;
/** `now` as ISO time: when the question was asked. */
type Reading = { readonly scopes: Heads; readonly now: string };

/** How often a question is answered whose scopes move meanwhile: the last answer is given, whatever moved. */
const mostAttempts = 4;
/** Clocks of processes differ by less: what took effect so long before a question did so before its first read. */
const clocksApartMs = 2_000;

/**
 * An answer for which every snapshot scope stood still: what is read of items before a head, and of details after it,
 * belongs to the snapshot that the head names. Where one is loading, its head is read once more; where one has just taken
 * effect, the question is answered again.
 */
export async function answeredWhole<P extends Reading, T>(
  ports: P,
  workspace: WorkspaceId,
  answer: (ports: P) => Promise<T>,
): Promise<T> {
  const restedSince = new Date(Date.parse(ports.now) - clocksApartMs).toISOString();
  const isRecent = ({ committedAt }: ScopeHead) => committedAt !== null && committedAt > restedSince;
  let before: ReadonlyMap<ScopeId, Order> = new Map();
  for (let attempt = 1; ; attempt++) {
    const found: ScopeHead[] = [];
    const answered = await answer({ ...ports, scopes: noting(ports.scopes, found) });
    const moving = found.filter((head) => head.kind === 'snapshot' && (head.started > head.order || isRecent(head)));
    if (moving.length === 0 || attempt === mostAttempts) return answered;
    const after = await ordersOf(ports.scopes, workspace, moving);
    const isStill = (head: ScopeHead) =>
      after.get(head.scope) === head.order && (before.get(head.scope) === head.order || !isRecent(head));
    if (moving.every(isStill)) return answered;
    before = after;
  }
}

const noting = <S extends Heads>(scopes: S, found: ScopeHead[]): S => ({
  ...scopes,
  heads: async (...asked: Parameters<Heads['heads']>) => {
    const heads = await scopes.heads(...asked);
    found.push(...heads);
    return heads;
  },
});

async function ordersOf(scopes: Heads, workspace: WorkspaceId, moving: readonly ScopeHead[]) {
  const ids = [...new Set(moving.map(({ scope }) => scope))];
  const heads = await scopes.heads(workspace, ids, { consistent: true });
  return new Map(heads.map(({ scope, order }) => [scope, order]));
}
