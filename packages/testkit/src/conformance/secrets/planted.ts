/** A secret of a kind that turns up in errors, headers, URLs and payloads. None of them was ever a real one. */
export interface PlantedSecret {
  readonly kind: string;
  /** The very characters that must not be found. */
  readonly secret: string;
  /** The same with other digits, for payloads and results, where it may be found. */
  readonly payloadSecret: string;
  /** It as it turns up in a text. */
  text(secret: string): string;
  /** The name of a header that says by itself that its value is one; otherwise the shape has to. */
  readonly header?: string | undefined;
}

type Kind = readonly [
  kind: string,
  secret: string,
  text?: string,
  header?: string | undefined,
  payloadSecret?: string,
];

const PEM = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEA4f2';

/** `$` stands for the secret. Without a text it stands alone. */
const KINDS: readonly Kind[] = [
  ['postgres URL', 'pgHunter2001', 'connect postgres://app:$@db.internal:5432/shop failed'],
  ['mysql URL', 'my#Hunter/2002', 'mysql://root:$@10.0.0.5/shop is gone'],
  ['redis URL', 'redisHunter2003', 'redis://:$@cache:6379 refused'],
  ['amqp URL', 'rabbit!Hunter2004', 'amqp://guest:$@mq:5672/%2f closed'],
  ['mongodb URL', 'mongoHunter2005', 'mongodb+srv://svc:$@cluster0.example.net/db timed out'],
  ['URL with a user', 'userHunter2006', 'GET https://bob:$@api.example.com/v1 answered 500'],
  ['URL with a token', 'gitHunter2007', 'fatal: https://$@git.example.com/a.git not found'],
  ['smtp URL', 'mailHunter2008', 'smtps://news%40example.com:$@mail.example.com:465'],
  ['access_token in a query', 'atHunter2009', 'GET https://x.example/me?access_token=$&page=2'],
  ['api_key in a query', 'akHunter2010', 'https://x.example/geo?api_key=$ is over its quota'],
  [
    'signature of a URL',
    'sv9Gq1K7yT0mE4xW8rB2nZ5cL6dJ3hVfUaPoIsQ2011%3D',
    'https://b.example/x?sig=$',
  ],
  [
    'webhook URL',
    'T02AB34CD/B05EF67GH/q8Wv3Zx1Ty6Ru9Po4Lk72012',
    'POST https://hooks.example/services/$',
  ],
  ['bearer token', 'brHunter2013', 'Authorization: Bearer $', 'authorization'],
  ['bearer token alone', 'bareHunter2014', 'Bearer $ was refused'],
  ['basic credentials', 'dXNlcjpIdW50ZXIyMDE1', 'Basic $ is not valid', 'Authorization'],
  ['digest', 'dgHunter2016', 'Authorization: Digest username="bob", response="$"'],
  ['proxy authorization', 'pxHunter2017', 'Proxy-Authorization: Basic $', 'Proxy-Authorization'],
  ['cookie', 'ckHunter2018', 'cookie: theme=dark; sid=$', 'cookie'],
  ['set-cookie', 'scHunter2019', 'set-cookie: sid=$; Path=/; HttpOnly', 'Set-Cookie'],
  ['api key header', 'xaHunter2020', 'X-Api-Key: $ is unknown', 'x-api-key'],
  ['auth token header', 'xtHunter2021', 'X-Auth-Token: $ has expired', 'X-Auth-Token'],
  ['csrf token', 'csHunter2022', 'x-csrf-token: $ does not match', 'x-csrf-token'],
  ['security token', 'stHunter2023', 'X-Amz-Security-Token=$ has expired', 'x-amz-security-token'],
  ['password', 'pwHunter2024', 'login failed: password=$ for bob'],
  ['password in JSON', 'pj Hunter 2025', '{"user":"bob","password":"$"} is refused'],
  ['passwd', 'pdHunter2026', "passwd: '$' is too weak", 'x-passwd'],
  ['pwd', 'puHunter2027', 'ODBC: UID=sa;PWD=$;Trusted=no'],
  ['passphrase', 'correct horse 2028', 'cannot unlock: passphrase="$"', 'passphrase'],
  ['command line', 'clHunter2029', 'mysqldump --password $ -u root: exit 2'],
  ['connection string', 'csP@ss2030', 'Server=db;User Id=sa;Password=$;Encrypt=yes', 'dsn'],
  ['client secret', 'cqHunter2031', 'oauth: client_secret=$ is invalid', 'client-secret'],
  ['refresh token', 'rtHunter2032', 'refresh_token: $ was revoked', 'refresh-token'],
  ['id token', 'itHunter2033', 'id_token=$ has another audience', 'id_token'],
  ['environment', 'evHunter2034', "env['DB_PASS'] = $"],
  ['credentials', 'crHunter2035', 'credentials: { user: bob, key: $ }', 'credentials'],
  ['AWS key id', 'AKIA2036ABCDEFGHIJKL', 'InvalidClientTokenId: $'],
  ['AWS temporary key id', 'ASIA2037ABCDEFGHIJKL', 'the id $ has expired'],
  ['AWS secret key', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCY20380KEYab', 'signed with $'],
  ['AWS secret key by name', 'aws2039Hunter', 'aws_secret_access_key=$', 'aws-secret-access-key'],
  ['GitHub token', 'ghp_2040abcdefghijklmnopqrstuvwxyzABCD', 'token $ lacks a scope'],
  ['fine-grained GitHub token', 'github_pat_2041ABCDEFG0abcdefghijkl', 'using $'],
  ['GitLab token', 'glpat-2042abcdefghijklmn', 'remote: $ denied'],
  ['npm token', 'npm_2043abcdefghijklmnopqrstuvwxyz012345', 'E401 with $'],
  ['Slack token', 'xoxb-2044012345-abcdefghijkl', 'invalid_auth for $'],
  ['payment key', 'sk_live_2045abcdefghijklmnop', 'No such charge; key $'],
  [
    'JSON Web Token',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIyMDQ2In0.dozjgNryP4J3jVmNHl0w5N2046',
    'jwt $ expired',
  ],
  ['private key', PEM, '-----BEGIN PRIVATE KEY-----\n$2047\n-----END PRIVATE KEY-----'],
  ['hex key', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c1520480a08', 'hmac with $'],
  ['base64 key', 'Zm9vYmFyMjA0OUh1bnRlckFuZE1vcmVCeXRlc0Zvcg9x8Q3w', 'unseal $ failed'],
  ['one-time secret', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK2050', 'otpauth secret $'],
  [
    'storage account key',
    'stHunter2051==',
    'AccountName=shop;AccountKey=$;EndpointSuffix=x.example',
  ],
  [
    'Slack webhook',
    'T0AB/B0EF/hook2052Hunter',
    'POST https://hooks.slack.com/services/$ answered 404',
  ],
  // With other digits a card number would be none: its last digit is a check digit.
  ['card number', '4111111111111111', 'card $.', undefined, '4012888888881881'],
  [
    'card in groups',
    '4242 4242 4242 4242',
    'order 12 $ 123 declined',
    undefined,
    '4000 0566 5566 5556',
  ],
  ['card with dashes', '5555-5555-5555-4444', 'declined: $', undefined, '5105-1051-0510-5100'],
  ['card of 15 digits', '378282246310005', '{"pan":"$"}', undefined, '371449635398431'],
];

export const PLANTED_SECRETS: readonly PlantedSecret[] = KINDS.map(
  ([kind, secret, text = '$', header, payloadSecret]) => ({
    kind,
    secret,
    payloadSecret:
      payloadSecret ?? secret.replace(/\d/g, (digit) => String((Number(digit) + 3) % 10)),
    text: (given) => text.replace('$', () => given),
    header,
  }),
);

/** The secrets that stand in a text, of either kind, by what they are. */
export function leakedSecrets(text: string): string[] {
  // As it stands, and as JSON writes it.
  const has = (secret: string) =>
    text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1));
  return PLANTED_SECRETS.flatMap(({ kind, secret, payloadSecret }) => [
    ...(has(secret) ? [kind] : []),
    ...(has(payloadSecret) ? [`${kind}, from the payload`] : []),
  ]);
}
