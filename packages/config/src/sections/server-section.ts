import { defineSection, optional, required, text, texts, value } from './section.ts';

const groups = (role: string) => value(texts, `Groups whose users have the role ${role}.`, []);

/** The HTTP API, which `redrive serve` and `redrive start --console` serve. */
export const serverSection = defineSection('server', {
  kind: 'object',
  meaning: 'The HTTP API. A change needs a restart.',
  fields: {
    proxy: {
      kind: 'object',
      optional: true,
      meaning:
        'A proxy that checks users, by OIDC for instance, and names them in headers. It must remove these headers from the requests of its clients.',
      fields: {
        addresses: required(
          texts,
          'Addresses and ranges of the proxy, such as `10.1.0.7`. In requests from other addresses the headers are ignored.',
        ),
        user_header: value(text, "The header with the user's name.", 'X-Forwarded-User'),
        groups_header: value(
          text,
          "The header with the user's groups, with commas between them.",
          'X-Forwarded-Groups',
        ),
        roles: {
          kind: 'object',
          meaning: 'The groups of each role; `*`: every user. A user without a role is refused.',
          fields: {
            viewer: groups('viewer'),
            operator: groups('operator'),
            admin: groups('admin'),
          },
        },
        tenant_header: optional(
          text,
          "The header with the user's tenant; `*`: all tenants. With it, a user without a tenant is refused.",
          'none: users see all tenants',
        ),
        secret_env: optional(
          text,
          'The environment variable with the value of the header `X-Redrive-Proxy-Secret`, which the proxy sends. A proxy on loopback needs it, because every program of the machine can send from there.',
          'none',
        ),
      },
    },
  },
});
