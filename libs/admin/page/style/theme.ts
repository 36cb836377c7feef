import { defaultLightTheme, type RaThemeOptions } from 'react-admin';

const ink = '#1c2333';
const line = '#e3e7ef';

const card = { border: `1px solid ${line}`, borderRadius: 10, boxShadow: 'none' };

/** The look of the page: fonts of the machine, because a strict policy loads none from elsewhere. */
export const theme: RaThemeOptions = {
  ...defaultLightTheme,
  palette: {
    primary: { main: '#3350c4' },
    secondary: { main: '#3350c4' },
    background: { default: '#f6f7fb' },
    text: { primary: ink, secondary: '#5b6478' },
  },
  shape: { borderRadius: 8 },
  typography: {
    fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
    h6: { fontWeight: 600, fontSize: '1.15rem' },
    button: { textTransform: 'none', fontWeight: 600 },
  },
  components: {
    ...defaultLightTheme.components,
    MuiAppBar: {
      styleOverrides: {
        root: { backgroundColor: '#fff', color: ink, boxShadow: 'none', borderBottom: `1px solid ${line}` },
      },
    },
    RaLayout: { styleOverrides: { root: { '& .RaLayout-content': { padding: '8px 16px 96px' } } } },
    RaTopToolbar: { styleOverrides: { root: { '&&': { backgroundColor: 'transparent' } } } },
    // As high without filters as with them: what is selected covers it.
    RaListToolbar: {
      styleOverrides: {
        root: { '&&': { backgroundColor: 'transparent' }, '@media (min-width: 600px)': { minHeight: 64 } },
      },
    },
    RaMenu: { styleOverrides: { root: { paddingTop: 12 } } },
    // Above the buttons that are at the bottom of a phone.
    MuiSnackbar: { styleOverrides: { root: { '@media (max-width: 899.95px)': { bottom: 144 } } } },
    // A search on a phone ends where the cards below it end.
    RaFilterFormInput: {
      styleOverrides: {
        root: { '@media (max-width: 599.95px)': { '& .RaFilterFormInput-spacer': { display: 'none' } } },
      },
    },
    RaSimpleList: {
      styleOverrides: { root: { '& > li:not(:last-of-type)': { borderBottom: `1px solid ${line}` } } },
    },
    MuiListItemText: { styleOverrides: { root: { overflowWrap: 'anywhere' } } },
    MuiCard: { styleOverrides: { root: card } },
    RaList: { styleOverrides: { root: { '& .RaList-content': card } } },
    RaEdit: { styleOverrides: { root: { '& .RaEdit-card': card } } },
    RaCreate: { styleOverrides: { root: { '& .RaCreate-card': card } } },
    RaToolbar: { styleOverrides: { root: { '&.RaToolbar-desktopToolbar': { backgroundColor: '#fafbfd' } } } },
    // As high as the filters that it covers, and as wide as the frame below it.
    RaBulkActionsToolbar: {
      styleOverrides: {
        root: {
          '& .RaBulkActionsToolbar-toolbar': { left: -1, right: -1 },
          '& .RaBulkActionsToolbar-toolbar:not(.RaBulkActionsToolbar-collapsed)': {
            ...{ height: 58, minHeight: 58, transform: 'translateY(-58px)' },
          },
        },
      },
    },
    RaDatagrid: {
      styleOverrides: {
        root: {
          '& .RaDatagrid-headerCell': { fontWeight: 600, backgroundColor: '#fafbfd' },
          '& tbody tr:last-of-type td': { borderBottom: 'none' },
          '& .RaDatagrid-rowCell': {
            paddingTop: 10,
            paddingBottom: 10,
            overflowWrap: 'anywhere',
            minWidth: 48,
          },
        },
      },
    },
    RaMenuItemLink: {
      styleOverrides: {
        root: {
          borderRadius: 8,
          margin: '2px 8px',
          '&.RaMenuItemLink-active': { backgroundColor: '#e8ecfb', color: '#2a419f', fontWeight: 600 },
        },
      },
    },
  },
};
