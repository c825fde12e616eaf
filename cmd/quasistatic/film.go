package main

import (
	"cmp"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/report"
)

// filmCommand returns `quasistatic film DIR`.
func filmCommand() *cli.Command {
	return &cli.Command{
		Name:      "film",
		Usage:     "draw the animation of a run as one moving picture",
		ArgsUsage: "DIR",
		Description: "Writes DIR/film.svg: frames at equal times, one after the other; it moves in every browser and in a README.\n" +
			"With --out film.gif or, where ffmpeg is, film.mp4 as such; film.glb is the scene itself with its motion. With --strip the frames stand beside each other, for paper.",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "frames", Value: 40, Usage: "`NUMBER` of frames"},
			&cli.BoolFlag{Name: "strip", Usage: "all frames beside each other"},
			&cli.Float64Flag{Name: "seconds", Value: 8, Usage: "`TIME` of the whole film"},
			&cli.StringFlag{Name: "out", Usage: "write to `FILE` in place of DIR/film.svg: .svg, .gif, .mp4, .glb, or .png of a strip"},
			&cli.BoolFlag{Name: "quiet", Usage: "print errors only"},
		},
		Action: filmAction,
	}
}

func filmAction(c *cli.Context) error {
	dir, err := argument(c, "want one run folder, for instance: quasistatic film out/grazing")
	if err != nil {
		return err
	}
	o := report.FilmOptions{Frames: c.Int("frames"), Strip: c.Bool("strip"), Time: c.Float64("seconds")}
	if err := o.Validate(); err != nil {
		return inputError("film: --%v", err)
	}
	name := cmp.Or(c.String("out"), filepath.Join(dir, "film.svg"))
	if err := report.CheckFilm(name, o); err != nil {
		return inputError("film: --out: %v", err)
	}
	s, err := show(c.Context, "film", dir)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := verify(c.Context, "film", s.Folder); err != nil {
		return err
	}
	p, err := s.Page(c.Context)
	if err != nil {
		return faultCode("film", err)
	}
	if err := p.Scene.WriteFilm(c.Context, name, p.Title, o); err != nil {
		return faultCode("film", err)
	}
	return wrote(c, "%s", name)
}
