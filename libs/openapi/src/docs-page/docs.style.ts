/** The rules of style that the page has beside those of Swagger UI. */
export const style = `
      .refusals > summary { cursor: pointer; padding: 8px 20px; font: bold 14px sans-serif; }
      .refusals .opblock-section-header { display: none; }
      .response-col_links { display: none; }
      .twins { margin: -5px 0 15px 20px; font: 14px sans-serif; }
      .twins > span { display: block; margin-top: 5px; }
    `;
