import type { Forgetting } from '../graph/forgotten.ts';
import type { ScopeId } from '../graph/ids.ts';
import type { Micros } from '../graph/order.ts';
import type { NodeView } from './node-view.ts';
import type { ScopeViews } from './scope-views.ts';

/** The nodes at one time, the claims in their pages, and the scopes whose heads say which of them are live. */
export type ClaimsView = {
  readonly asOf: string | null;
  /** Observations that began later are not visible; null: all are. */
  readonly observedUntil: Micros | null;
  readonly nodes: NodeView;
  readonly scopes: ScopeViews;
  /** What of a scope is forgotten at the view's time. */
  readonly forgettingOf: (scope: ScopeId) => Forgetting | null;
};
