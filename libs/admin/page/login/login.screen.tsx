import { Alert, Box, Button, Card, CardContent, Stack, TextField, Typography } from '@mui/material';
import { useState, type FormEvent, type ReactNode } from 'react';
import { LetterMark } from '../screens/page.menu.js';
import type { Login } from './login.js';

/** Asks who somebody is. */
export function LoginScreen(props: {
  readonly title: string;
  readonly login: Login;
  readonly problem?: string | undefined;
}): ReactNode {
  const { title, login, problem } = props;
  const [token, setToken] = useState('');
  const [failure, setFailure] = useState(problem);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (login.take !== undefined) {
      login.take(token);
      history.replaceState(null, '', `#${placeBefore()}`);
      location.reload();
    } else
      login
        .goThere?.()
        .catch(() => setFailure('The identity provider cannot be reached. Try again in a while.'));
  };
  return (
    <Box sx={{ minHeight: '100vh', display: 'flex', alignItems: 'center', justifyContent: 'center', p: 2 }}>
      <Card component="form" onSubmit={submit} sx={{ width: 400, maxWidth: '100%', p: 1 }}>
        <CardContent>
          <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center', mb: 3 }}>
            <LetterMark name={title} isBrand />
            <Typography variant="h6" component="h1" sx={{ fontWeight: 700, overflowWrap: 'anywhere' }}>
              {title}
            </Typography>
          </Stack>
          {failure === undefined ? null : (
            <Alert severity="error" sx={{ mb: 2 }}>
              {failure}
            </Alert>
          )}
          {login.take === undefined ? null : (
            <TextField
              label="Token"
              variant="outlined"
              type="password"
              autoComplete="off"
              value={token}
              onChange={({ target }) => setToken(target.value)}
              helperText="It is kept until this tab is closed."
              fullWidth
              autoFocus
              required
              sx={{ mb: 2 }}
            />
          )}
          <Button type="submit" variant="contained" size="large" fullWidth>
            Log in
          </Button>
        </CardContent>
      </Card>
    </Box>
  );
}

/** The place in the page that somebody was taken from to log in, else its first one: that of the login itself leads nowhere. */
function placeBefore(): string {
  const { usr } = Object(history.state) as { readonly usr?: { readonly nextPathname?: unknown } | null };
  const here = location.hash.slice(1);
  if (typeof usr?.nextPathname === 'string' && usr.nextPathname.startsWith('/')) return usr.nextPathname;
  return here.startsWith('/login') ? '/' : here;
}
