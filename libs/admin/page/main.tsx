// The page: what it is told, who has logged in, what the document says, and then the screens.
import { CacheProvider } from '@emotion/react';
import { Alert, Box, CssBaseline, ThemeProvider, createTheme } from '@mui/material';
import { EndpointsError } from '@nest-endpoints/client';
import { endpointsProvider } from '@nest-endpoints/react-admin';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { AdminApp } from './admin.app.js';
import { adminProvider } from './admin.provider.js';
import { authProviderOf } from './login/auth.provider.js';
import { LoginScreen } from './login/login.screen.js';
import type { Login } from './login/login.js';
import { oidcLogin } from './login/oidc.login.js';
import { tokenLogin } from './login/token.login.js';
import { screensOf } from './model/screens.js';
import { addressesOf, readConfig, type PageConfig } from './page.config.js';
import { adoptedCache } from './style/adopted.sheet.js';
import { theme } from './style/theme.js';

async function pageOf(config: PageConfig): Promise<ReactNode> {
  const { page, service, schema } = addressesOf(config);
  const { title } = config;
  const login = await loginOf(config, page);
  const ask = (problem?: string): ReactNode =>
    login === undefined ? (
      <Problem text={problem ?? ''} />
    ) : (
      <LoginScreen title={title} login={login} problem={problem} />
    );
  // There is nothing to lose yet: whoever cannot be told to have a token logs in.
  const token = await login?.token().catch(() => undefined);
  if (login !== undefined && token === undefined) return ask(login.problem);
  const provider = endpointsProvider({ url: service, schema, ...(login && { token: () => login.token() }) });
  try {
    const screens = screensOf(await provider.client.document(), await provider.client.resources(), config);
    const known = new Map(screens.map((screen) => [screen.name, screen]));
    const auth = login === undefined ? undefined : { login, authProvider: authProviderOf(login) };
    return (
      <AdminApp title={title} screens={screens} provider={adminProvider(provider, known)} login={auth} />
    );
  } catch (error) {
    if (!(error instanceof EndpointsError) || (error.status !== 401 && error.status !== 403)) throw error;
    await login?.leave();
    return ask(error.status === 401 ? 'The token is not accepted.' : 'You may not see this page.');
  }
}

async function loginOf({ login }: PageConfig, page: string): Promise<Login | undefined> {
  if (login === undefined) return undefined;
  return login === 'token' ? tokenLogin(page) : await oidcLogin(page, login);
}

function Problem({ text }: { readonly text: string }): ReactNode {
  return (
    <Box sx={{ p: 3 }}>
      <Alert severity="error">{text}</Alert>
    </Box>
  );
}

async function start(element: HTMLElement): Promise<void> {
  const root = createRoot(element);
  const show = (page: ReactNode): void =>
    root.render(
      <CacheProvider value={adoptedCache()}>
        <ThemeProvider theme={createTheme(theme)}>
          <CssBaseline />
          {page}
        </ThemeProvider>
      </CacheProvider>,
    );
  try {
    show(await pageOf(await readConfig()));
  } catch (error) {
    show(<Problem text={error instanceof Error ? error.message : String(error)} />);
  }
}

const root = document.getElementById('root');
if (root !== null) void start(root);
