import { diffRoutes } from '../../shared/contract/routes/diff.ts';
import { policyPreviewRoutes } from '../../shared/contract/routes/policy-preview.ts';
import { diffPorts } from '../../shared/runtime/composition/queries.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import { diffImplementations } from './diff.ts';
import { previewImplementations } from './policy-preview.ts';

const ports = diffPorts();

/** Compares graphs: what changed, and what a branch or a policy would change. */
export const handler = httpFunction(
  { ...diffRoutes, ...policyPreviewRoutes },
  { ...diffImplementations(ports), ...previewImplementations(ports) },
);
