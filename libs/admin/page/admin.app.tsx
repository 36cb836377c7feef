import type { EndpointsDataProvider } from '@nest-endpoints/react-admin';
import { useMemo, type ComponentType, type ReactNode } from 'react';
import {
  Admin,
  AppBar,
  Layout,
  memoryStore,
  Resource,
  TitlePortal,
  type AuthProvider,
  type LayoutProps,
  type RaRecord,
} from 'react-admin';
import { LoginScreen } from './login/login.screen.js';
import type { Login } from './login/login.js';
import { nameOf, type Screen } from './model/screen.js';
import { RecordCreate } from './screens/record.create.js';
import { RecordEdit } from './screens/record.edit.js';
import { RecordList } from './screens/record.list.js';
import { LetterMark, PageMenu } from './screens/page.menu.js';
import { pageWords } from './page.words.js';
import { ScreensContext } from './screens/screens.context.js';
import { TrashList } from './screens/trash.list.js';
import { theme } from './style/theme.js';

const store = memoryStore();

/** The screens of all records. */
export function AdminApp(props: {
  readonly title: string;
  readonly screens: readonly Screen[];
  readonly provider: EndpointsDataProvider;
  readonly login: { readonly login: Login; readonly authProvider: AuthProvider } | undefined;
}): ReactNode {
  const { title, screens, provider, login } = props;
  const known = useMemo(
    () => ({ provider, screens: new Map(screens.map((screen) => [screen.name, screen])) }),
    [provider, screens],
  );
  const layout = useMemo(() => layoutOf(title), [title]);
  const auth =
    login === undefined
      ? {}
      : {
          authProvider: login.authProvider,
          requireAuth: true,
          loginPage: <LoginScreen title={title} login={login.login} />,
        };
  return (
    <ScreensContext.Provider value={known}>
      <Admin
        title={title}
        dataProvider={provider}
        i18nProvider={pageWords}
        layout={layout}
        theme={theme}
        darkTheme={null}
        disableTelemetry
        // What a list was asked for ends with the tab: a link that asks for nonsense leaves nothing behind.
        store={store}
        {...auth}
      >
        {screens.flatMap((screen) => resourcesOf(screen))}
      </Admin>
    </ScreensContext.Provider>
  );
}

function resourcesOf(screen: Screen): readonly ReactNode[] {
  const { name, label, resource, trash } = screen;
  const { create, update } = resource.calls;
  return [
    <Resource
      key={name}
      name={name}
      options={{ label, isListed: true }}
      icon={() => <LetterMark name={label} />}
      recordRepresentation={(record: RaRecord) => nameOf(screen, record)}
      list={<RecordList screen={screen} />}
      create={create === undefined ? undefined : <RecordCreate screen={screen} />}
      edit={update === undefined ? undefined : <RecordEdit screen={screen} />}
    />,
    // The first records are those that the page begins with, which a trash never is.
    ...(trash === undefined
      ? []
      : [
          <Resource
            key={trash.name}
            name={trash.name}
            options={{ label: `${label}: trash` }}
            list={<TrashList screen={screen} trash={trash} />}
          />,
        ]),
  ];
}

function PageBar(): ReactNode {
  return (
    <AppBar color="default">
      <TitlePortal component="h1" />
    </AppBar>
  );
}

/** A component for react-admin, which is the same one each time that it asks. */
function layoutOf(title: string): ComponentType<LayoutProps> {
  const TitledMenu = (): ReactNode => <PageMenu title={title} />;
  return function PageLayout({ children }) {
    return (
      <Layout menu={TitledMenu} appBar={PageBar}>
        {children}
      </Layout>
    );
  };
}
