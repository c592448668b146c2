import type { ProblemCode } from './problems.ts';
import type { Access, Body, Route } from './route.ts';

/** Every code that a route may answer: what its checks refuse, and what the route lists itself. */
export function problemsOf(route: Route): readonly ProblemCode[] {
  const checks = [...accessProblems(route.access), ...bodyProblems(route.body), ...fieldProblems(route)];
  const family: Readonly<Partial<Record<ProblemCode, ProblemCode>>> = route.familyCodes ?? {};
  const all = [...checks, ...route.problems, 'internal_error', ...unavailability(route.access)] as const;
  return [...new Set(all.map((code) => family[code] ?? code))];
}

function accessProblems(access: Access): readonly ProblemCode[] {
  switch (access.kind) {
    case 'member':
      return [
        'unauthorized',
        'workspace_token_mismatch',
        'pats_disabled',
        ...(access.session ? (['session_required'] as const) : []),
        'insufficient_scope',
        'insufficient_workspace_role',
        'rate_limited',
      ];
    case 'signed_in':
      return ['unauthorized', 'pats_disabled', 'insufficient_scope'];
    case 'signature':
      return ['unauthorized'];
    case 'project_key':
    case 'public':
      return [];
  }
}

function bodyProblems(body: Body | undefined): readonly ProblemCode[] {
  if (body === undefined) return [];
  return [
    'unsupported_media_type',
    'unsupported_content_encoding',
    'invalid_content_length',
    'body_too_large',
    ...(body.kind === 'json' ? (['invalid_json'] as const) : []),
    ...(body.kind === 'json' && body.gzip ? (['invalid_compression'] as const) : []),
  ];
}

const fieldProblems = ({ params, query, headers, body }: Route): readonly ProblemCode[] =>
  params || query || headers || body?.kind === 'json' ? ['validation_error'] : [];

/** Collection says by a code of its own that it is unavailable. */
const unavailability = ({ kind }: Access): readonly ProblemCode[] => (kind === 'project_key' ? [] : ['unavailable']);
