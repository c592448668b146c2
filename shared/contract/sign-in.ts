import * as v from 'valibot';

/** Where people sign in: the issuer's OpenID configuration, and the public client that it redirects to this machine. */
export const SignInDirections = v.object({ discovery_url: v.pipe(v.string(), v.url()), client_id: v.string() });
export type SignInDirections = v.InferOutput<typeof SignInDirections>;
