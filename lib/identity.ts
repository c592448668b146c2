import {
  AccountRecovery,
  type IUserPool,
  Mfa,
  OAuthScope,
  type PasswordPolicy,
  UserPool,
  UserPoolClient,
} from 'aws-cdk-lib/aws-cognito';
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { signedInPage } from '../shared/contract/pages.ts';
import { loopback } from '../shared/contract/stack-outputs.ts';
import { acknowledge } from './acknowledge.ts';

/** Whose session tokens a deployment takes. */
export type Issuer = {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  /** Where it describes itself, if that is not below its name. */
  readonly discoveryUrl?: string;
  /** The issuer of a laptop: its tokens may be in the address of a page. */
  readonly isForDevelopment?: true;
};

const passwordPolicy: PasswordPolicy = {
  minLength: 14,
  requireDigits: true,
  requireLowercase: true,
  requireUppercase: true,
  requireSymbols: true,
  tempPasswordValidity: Duration.days(3),
};

type UserDirectoryProps = { readonly tenant: string; readonly isProtected: boolean };

/** The user pool of a tenant without a separate issuer, and its sign-in address. */
export class UserDirectory extends Construct {
  readonly pool: UserPool;

  constructor(scope: Construct, id: string, { tenant, isProtected }: UserDirectoryProps) {
    super(scope, id);
    this.pool = new UserPool(this, 'Users', {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      mfa: Mfa.REQUIRED,
      mfaSecondFactor: { otp: true, sms: false },
      passwordPolicy,
      removalPolicy: RemovalPolicy.RETAIN,
      deletionProtection: isProtected,
    });
    acknowledge(this.pool, {
      'AwsSolutions-COG8': 'The plus tier is charged by the user; the tenant decides whether to buy it.',
    });
    // Domains are of all accounts of the region: the account's number keeps tenants of one name apart.
    this.pool.addDomain('SignIn', { cognitoDomain: { domainPrefix: `tributary-${tenant}-${Stack.of(this).account}` } });
  }
}

type ClientProps = {
  readonly users: UserDirectory;
  /** The address below which the explorer's pages stand, with a final slash. */
  readonly explorer: string;
};

/** Lets the command line and the explorer at an address sign people of the directory in. */
export function signInClient(scope: Construct, { users: { pool }, explorer }: ClientProps): Issuer {
  const client = new UserPoolClient(scope, 'SignIn', {
    // The library's own types disagree under exactOptionalPropertyTypes.
    userPool: pool as IUserPool,
    authFlows: { userSrp: true },
    oAuth: {
      flows: { authorizationCodeGrant: true },
      scopes: [OAuthScope.OPENID, OAuthScope.EMAIL],
      callbackUrls: [`http://localhost:${loopback.port}${loopback.path}`, explorer + signedInPage.slice(1)],
      logoutUrls: [explorer],
    },
    preventUserExistenceErrors: true,
  });
  const { region, urlSuffix } = Stack.of(scope);
  const issuer = `https://cognito-idp.${region}.${urlSuffix}/${pool.userPoolId}`;
  return { issuer, audience: client.userPoolClientId, jwksUrl: `${issuer}/.well-known/jwks.json` };
}
