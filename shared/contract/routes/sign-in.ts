import * as v from 'valibot';
import type { Route } from '../route.ts';

/** Where people sign in: the issuer's OpenID configuration, and the public client that it redirects to this machine. */
export const SignInDirections = v.object({ discovery_url: v.pipe(v.string(), v.url()), client_id: v.string() });
export type SignInDirections = v.InferOutput<typeof SignInDirections>;

/** What a client has to know before anybody has signed in: C-ACCESS-10. */
export const signInRoutes = {
  getSignInDirections: {
    method: 'GET',
    path: '/v1/auth/sign-in',
    function: 'access',
    summary: 'Tells where people sign in, and as which client of the issuer.',
    access: { kind: 'public' },
    replies: { 200: { description: 'Where people sign in.', schema: SignInDirections } },
    problems: [],
  },
} as const satisfies Record<string, Route>;
