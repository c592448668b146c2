import { AccountRecovery, Mfa, OAuthScope, type PasswordPolicy, UserPool } from 'aws-cdk-lib/aws-cognito';
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
  /** Where it describes itself, where that is not below its name. */
  readonly discoveryUrl?: string;
  /** The issuer of a laptop: its tokens may stand in the address of a page. */
  readonly isForDevelopment?: true;
};

type DirectoryProps = {
  readonly tenant: string;
  /** The address below which the explorer's pages stand, with a final slash. */
  readonly explorer: string;
};

const passwordPolicy: PasswordPolicy = {
  minLength: 14,
  requireDigits: true,
  requireLowercase: true,
  requireUppercase: true,
  requireSymbols: true,
  tempPasswordValidity: Duration.days(3),
};

/** A user pool for a tenant that has no issuer of its own. */
export class UserDirectory extends Construct {
  readonly issuer: Issuer;

  constructor(scope: Construct, id: string, { tenant, explorer }: DirectoryProps) {
    super(scope, id);
    const pool = new UserPool(this, 'Users', {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      mfa: Mfa.REQUIRED,
      mfaSecondFactor: { otp: true, sms: false },
      passwordPolicy,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    acknowledge(pool, {
      'AwsSolutions-COG8': 'The plus tier is charged by the user; the tenant decides whether to buy it.',
    });
    const client = pool.addClient('CommandLine', {
      authFlows: { userSrp: true },
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL],
        callbackUrls: [`http://localhost:${loopback.port}${loopback.path}`, explorer + signedInPage.slice(1)],
        logoutUrls: [explorer],
      },
      preventUserExistenceErrors: true,
    });
    // Domains are of all accounts of the region: the account's number keeps tenants of one name apart.
    pool.addDomain('SignIn', { cognitoDomain: { domainPrefix: `tributary-${tenant}-${Stack.of(this).account}` } });
    const issuer = `https://cognito-idp.${Stack.of(this).region}.${Stack.of(this).urlSuffix}/${pool.userPoolId}`;
    this.issuer = { issuer, audience: client.userPoolClientId, jwksUrl: `${issuer}/.well-known/jwks.json` };
  }
}
